/** A JSON value, as `JSON.parse` makes it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Keys that the relay does not know are kept. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a JSON value is an object, and neither null nor a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
