import { useState } from 'react';

const FIRST = 200;
const STEP = 1000;

/** How much of a long list is drawn: 200 lines, then 1,000 more each time, so that no click freezes the window. */
export function useShown(total: number): { readonly shown: number; readonly more: () => void } {
  const [limit, setLimit] = useState(FIRST);
  // a few more are not worth a button
  const shown = total <= limit * 1.05 ? total : limit;
  return { shown, more: () => setLimit(limit + STEP) };
}
