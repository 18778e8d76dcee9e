import { invalidParams } from '../../../relay/contract/reasons.ts';
import type { Between } from './rows.ts';

/** Where pages of the log end. They stay good whatever is written meanwhile: rows keep their numbers. */

/** Of a list, newest first: the number of the last row that was shown. INVALID_PARAMS for what is no cursor. */
export function readListCursor(cursor: string | undefined): Between {
  if (cursor === undefined || cursor === '') return {};
  return { before: numbersOf(cursor, /^(-?\d{1,15})$/)[0] };
}

/** How far an export has come, and how far it goes. */
export interface ExportCursor {
  readonly after: number | undefined;
  readonly last: number;
}

export function exportCursor({ after = 0, last }: ExportCursor): string {
  return `${after}_${last}`;
}

/** undefined on the first page. INVALID_PARAMS for what is no cursor. */
export function readExportCursor(cursor: string | undefined): ExportCursor | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const [after, last] = numbersOf(cursor, /^(-?\d{1,15})_(-?\d{1,15})$/);
  return { after, last };
}

function numbersOf(cursor: string, form: RegExp): readonly [number, number] {
  const [, first, second] = form.exec(cursor) ?? [];
  if (first === undefined) throw invalidParams('cursor', 'is not the end of a page. Leave it out to begin anew.');
  return [Number(first), Number(second)];
}
