/**
 * Base64 as ProtoJSON accepts it (both alphabets, padded or not), in its canonical form: standard alphabet, padded,
 * unused bits zero. undefined when it is something else. Linear in the text.
 */
export function canonicalBase64(text: string): string | undefined {
  const firstOther = text.search(/[^A-Za-z0-9+/_-]/);
  const digits = firstOther === -1 ? text.length : firstOther;
  const padding = text.slice(digits);
  const whole = padding === '' ? digits % 4 !== 1 : /^={1,2}$/.test(padding) && text.length % 4 === 0;
  return whole ? Buffer.from(text, 'base64').toString('base64') : undefined;
}
