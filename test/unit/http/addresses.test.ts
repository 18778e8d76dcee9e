import { expect, test } from 'vitest';
import { isLoopback } from '../../../relay/http/addresses.ts';

test.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1'])('%s is this machine', (address) => {
  expect(isLoopback(address)).toBe(true);
});

test.each(['', '10.0.0.1', '128.0.0.1', '1127.0.0.1', '127.0.0.1.example.com', '::2', '::ffff:10.0.0.1', 'localhost'])(
  '%j is no address of this machine alone',
  (address) => {
    expect(isLoopback(address)).toBe(false);
  },
);
