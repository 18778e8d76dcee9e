import { join } from 'node:path';
import { readPublished } from '../running-app.ts';
import { CommandError } from './failure.ts';

/** APP_NOT_RUNNING for a data folder on which no app can be reached. */
export async function notRunning(home: string): Promise<CommandError> {
  const isDamaged = (await readPublished(home)) === 'damaged';
  const message = isDamaged
    ? `AgentRelay does not run on ${home}, or cannot be reached: what it wrote into ${join(home, 'run')} is damaged. End it if it runs.`
    : `AgentRelay does not run on ${home}.`;
  return new CommandError('APP_NOT_RUNNING', message);
}
