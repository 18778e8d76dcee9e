/** Times as people read them. All are milliseconds since the epoch; `zone` is an IANA name, the reader's own if left out. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const LOCALE = 'en-GB';

/** How long ago, as short as it gets: `now`, `12 min`, `3 h`, `6 d`, then the date. */
export function shortAge(at: number, now: number, zone?: string): string {
  const age = now - at;
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  if (age < 7 * DAY) return `${Math.floor(age / DAY)} d`;
  return date(at, now, zone);
}

/** The same in a sentence: `just now`, `12 min ago`, `on 3 May`. */
export function longAge(at: number, now: number, zone?: string): string {
  const age = now - at;
  if (age < MINUTE) return 'just now';
  return age < 7 * DAY ? `${shortAge(at, now, zone)} ago` : `on ${date(at, now, zone)}`;
}

/** When, as a clock says it: `09:08` today, `Mon 10:02` within a week, `3 May 10:02` before. */
export function clockTime(at: number, now: number, zone?: string): string {
  const time = part(at, { hour: '2-digit', minute: '2-digit' }, zone);
  if (date(at, now, zone) === date(now, now, zone)) return time;
  const day = now - at < 6 * DAY ? part(at, { weekday: 'short' }, zone) : date(at, now, zone);
  return `${day} ${time}`;
}

/** Everything there is to say: `Tuesday 12 May 2026, 09:08:14`. */
export function exactTime(at: number, zone?: string): string {
  const day = [{ weekday: 'long' }, { day: 'numeric' }, { month: 'long' }, { year: 'numeric' }] as const;
  const time = part(at, { hour: '2-digit', minute: '2-digit', second: '2-digit' }, zone);
  return `${day.map((options) => part(at, options, zone)).join(' ')}, ${time}`;
}

/** For machines: the value of a `datetime` attribute. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

function date(at: number, now: number, zone: string | undefined): string {
  const year = (time: number): string => part(time, { year: 'numeric' }, zone);
  const day = `${part(at, { day: 'numeric' }, zone)} ${part(at, { month: 'short' }, zone)}`;
  return year(at) === year(now) ? day : `${day} ${year(at)}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Each piece by itself: how a locale joins them changes with its data. Making a format is slow, so each is kept. */
function part(at: number, options: Intl.DateTimeFormatOptions, zone: string | undefined): string {
  const id = JSON.stringify([options, zone]);
  let format = formats.get(id);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(LOCALE, { ...options, ...(zone === undefined ? {} : { timeZone: zone }) });
    formats.set(id, format);
  }
  return format.format(at);
}
