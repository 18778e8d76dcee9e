import { format } from 'oxfmt';
import oxfmtrc from '../../.oxfmtrc.json' with { type: 'json' };
import { REGIONS } from './regions.ts';

const REGION = /(<!-- generated: ([a-z-]+) -->).*?(<!-- \/generated -->)/gs;

/**
 * A document with everything that is generated in it made anew: what stands between `<!-- generated: NAME -->` and
 * `<!-- /generated -->` is replaced, the rest stays. Fails when it has no such region, or one that nothing fills.
 */
export async function render(document: string): Promise<string> {
  if (document.search(REGION) === -1) throw new Error('nothing in this document is generated');
  const text = document.replaceAll(REGION, (_, begin: string, name: string, end: string) => {
    const make = REGIONS[name];
    if (make === undefined) throw new Error(`nothing generates "${name}"`);
    return `${begin}\n\n${make()}\n\n${end}`;
  });
  const { printWidth, singleQuote } = oxfmtrc;
  const { code, errors } = await format('document.md', text, { printWidth, singleQuote });
  if (errors.length > 0) throw new Error(errors.map((error) => error.message).join('\n'));
  return code;
}
