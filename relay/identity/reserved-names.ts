/** Names that would be taken for the relay itself, or for a part of its addresses. `guide` is its own agent. */
const RESERVED: ReadonlySet<string> = new Set([
  'a2a',
  'admin',
  'administrator',
  'agentrelay',
  'all',
  'api',
  'everyone',
  'guide',
  'mcp',
  'me',
  'relay',
  'system',
  'v1',
  'well-known',
]);

/** Whether nobody may register the name. `name` is the part before `@`, in lower case. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}
