import { ConnectionError } from './trouble.ts';

/**
 * The body of an answer as text, decoded. Fails with a ConnectionError once it has more than so many bytes: what is small on
 * the wire may be large once it is unpacked.
 */
export async function readText({ body }: Response, mostBytes: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    // leaving the loop cancels the body
    if (bytes > mostBytes) throw new ConnectionError({ kind: 'unreadable' });
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
