/** A UUID of version 4 (RFC 9562 section 5.4) from 16 random bytes. */
export function uuidFrom(random: Uint8Array): string {
  const hex = Buffer.from(random).toString('hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
