import { test as base } from '@playwright/test';
import { findElectron } from '../../support/electron-binary.ts';
import { Contracts, DOUBLE, type Command, type InMain } from './run.ts';

interface Fixtures {
  /** Starts the contract app as often as a test likes, in one `userData` folder. */
  readonly apps: Contracts;
}
interface WorkerFixtures {
  /** Runs a function in the main process of an app that tests share; its windows are gone before the next one. */
  readonly inMain: <T>(run: InMain<T>) => Promise<T>;
}

function testOf(command: Command | undefined) {
  const contracts = (): Contracts => {
    if (!command) throw new Error('There is nothing to run the contract app with');
    return new Contracts(command);
  };
  return base.extend<Fixtures, WorkerFixtures>({
    inMain: [
      // Playwright reads the names of fixtures from this pattern
      // eslint-disable-next-line no-empty-pattern
      async ({}, use) => {
        await using apps = contracts();
        await use(await apps.serve());
      },
      { scope: 'worker', timeout: 60_000 },
    ],
    // eslint-disable-next-line no-empty-pattern
    apps: async ({}, use) => {
      await using apps = contracts();
      await use(apps);
    },
  });
}

const electron = findElectron();

/**
 * What the contract holds for: the double always, Electron itself wherever its binary is installed. Elsewhere its tests
 * are skipped, and say why.
 */
export const hosts = [
  { name: 'the double', test: testOf(DOUBLE), absent: false },
  {
    name: 'Electron',
    test: testOf(
      electron === undefined ? undefined : [electron, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
    ),
    absent: electron === undefined,
  },
] as const;

/** Why a test of a host is skipped. */
export const ABSENT = 'the Electron binary is not installed';
