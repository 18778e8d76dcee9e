/**
 * A client's text as an error may quote it: at most `length` characters, well-formed, an ellipsis where it was cut.
 */
export function excerpt(text: string, length: number): string {
  return text.length <= length ? text.toWellFormed() : `${text.slice(0, length - 1).toWellFormed()}…`;
}
