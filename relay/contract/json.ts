/** A JSON value, as `JSON.parse` makes it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys that the relay does not know are kept. */
export interface JsonObject {
  readonly [key: string]: Json;
}
