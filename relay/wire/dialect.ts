import type { JsonObject } from '../contract/json.ts';
import type { Answer, Frame } from '../operations/answer.ts';
import type { Operation } from '../operations/operation.ts';

/** A call under the client's own name for a task, where the generation has such. */
export interface Aliased {
  readonly alias?: string;
}

/** One generation of the protocol: how its calls are read, and how answers to them are written. Pure. */
export interface Dialect {
  readonly name: 'A2A 1.0' | 'A2A 0.3' | 'A2A 0.1' | 'AgentRelay';
  /**
   * Reads a call.
   *
   * @throws RelayError INVALID_PARAMS naming all that is wrong (at most 20 things), METHOD_NOT_FOUND, or that of a
   *   method that the relay does not serve
   */
  decode(method: string, params: JsonObject | undefined): Operation;
  /** The result of a call, to be written as JSON. */
  encode(answer: Answer, call: Aliased): object | null;
  /** Writes one stream: the events of each frame, in order. */
  frames(call: Aliased): (frame: Frame) => readonly object[];
  /** The HTTP header in which extensions are asked for and named back. */
  readonly extensionsHeader: 'a2a-extensions' | 'x-a2a-extensions';
  /**
   * Whether a refusal of this method has to be an event of a stream: clients of 0.3 that asked for one take no other
   * content type for an answer.
   */
  refusesInStream(method: string): boolean;
}
