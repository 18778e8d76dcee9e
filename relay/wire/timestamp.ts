/**
 * An RFC 3339 time as ProtoJSON writes it, in milliseconds since the epoch; finer fractions are cut. undefined when it
 * is no such time, or one that no calendar has.
 */
export function parseTimestamp(text: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.exec(
      text,
    );
  if (match === null) return undefined;
  const [, year, month, day] = match.map(Number);
  // Date.parse takes the 30th of February for the 2nd of March
  const lastDay = new Date(Date.UTC(year ?? 0, month ?? 0, 0)).getUTCDate();
  const time = Date.parse(text.toUpperCase());
  return Number.isNaN(time) || (day ?? 0) > lastDay ? undefined : time;
}
