const TIME = '\\d{2}:\\d{2}:\\d{2}';
const IMF_FIXDATE = new RegExp(`^[A-Z][a-z]{2}, \\d{2} [A-Z][a-z]{2} \\d{4} ${TIME} GMT$`);
const RFC_850 = new RegExp(`^[A-Z][a-z]+day, \\d{2}-[A-Z][a-z]{2}-\\d{2} ${TIME} GMT$`);
const ASCTIME = new RegExp(`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \\d]\\d ${TIME} \\d{4}$`);

/**
 * Reads an HTTP-date in any of its three forms (RFC 9110 section 5.6.7), as milliseconds since the epoch. undefined
 * for everything else: `Date.parse` alone takes nearly anything, and asctime's form as local time.
 */
export function parseHttpDate(text: string): number | undefined {
  const time = ASCTIME.test(text)
    ? Date.parse(`${text} GMT`)
    : IMF_FIXDATE.test(text) || RFC_850.test(text)
      ? Date.parse(text)
      : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
