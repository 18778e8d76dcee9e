import { useEffect, useState, type ReactNode } from 'react';
import { IconButton } from './button.tsx';

const SHOWN_MS = 1500;

/** Copies a text, exactly as it is. `what` names it: "the diff". */
export function CopyButton({ text, what }: { text: string; what: string }): ReactNode {
  const [result, setResult] = useState<'copied' | 'refused'>();
  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setResult('copied'),
      () => setResult('refused'),
    );
  };
  switch (result) {
    case 'copied':
      return <IconButton icon="check" label={`Copied ${what}`} onPress={copy} />;
    case 'refused':
      return <IconButton icon="warn" label={`The browser does not let ${what} be copied`} onPress={copy} />;
    case undefined:
      return <IconButton icon="copy" label={`Copy ${what}`} onPress={copy} />;
  }
}
