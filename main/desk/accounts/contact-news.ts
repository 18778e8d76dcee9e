import type { ContactView } from '../../../relay/contract/contact.ts';
import type { Logger } from '../options.ts';
import type { LiveAccount } from './account.ts';

/** What there is between accounts and others, as it changes: told by the stream, and listed where the stream has a gap. */
export interface ContactNews {
  /** The stream has told of it. */
  heard(account: LiveAccount, contact: ContactView): void;
  /** The stream began anew: what it told meanwhile, nobody has heard. */
  missed(account: LiveAccount): void;
  /** The relay can be asked. What was missed is listed, now or when it can be asked again. */
  connected(account: LiveAccount): void;
}

export interface ContactNewsOptions {
  readonly logger: Logger;
  readonly onNews: (account: LiveAccount, contact: ContactView) => void;
  /** Everybody with whom there is anything was told of. @param known their handles */
  readonly onListed: (account: LiveAccount, known: ReadonlySet<string>) => void;
}

export function createContactNews({ logger, onNews, onListed }: ContactNewsOptions): ContactNews {
  const gaps = new Set<LiveAccount>();

  async function list(account: LiveAccount): Promise<void> {
    const contacts = await account.client.contacts();
    // a gap that comes meanwhile is listed after it
    gaps.delete(account);
    for (const contact of contacts) onNews(account, contact);
    onListed(account, new Set(contacts.map(({ handle }) => handle)));
  }

  return {
    heard: onNews,
    missed: (account) => void gaps.add(account),
    connected(account) {
      if (!gaps.has(account)) return;
      list(account).catch((error: unknown) => {
        logger.warn({ err: error, account: account.handle }, 'contacts could not be listed');
      });
    },
  };
}
