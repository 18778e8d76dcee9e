import {
  RestTransportFactory,
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';

/** The official SDK's client, as its users make one: from an agent's card, with a bearer key. */
export async function sdkClient(options: {
  readonly url: string;
  readonly apiKey: string;
  /** Where the card is. */
  readonly card: string;
  /** Of those that the card names, the binding that is taken. Default: JSON-RPC. */
  readonly binding?: 'JSONRPC' | 'HTTP+JSON';
}): Promise<Client> {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: () => Promise.resolve({ Authorization: `Bearer ${options.apiKey}` }),
    shouldRetryWithHeaders: () => Promise.resolve(undefined),
  });
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })],
      preferredTransports: [options.binding ?? 'JSONRPC'],
    }),
  );
  return factory.createFromUrl(options.url, options.card);
}
