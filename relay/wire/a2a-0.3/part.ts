import type { Part } from '../../contract/a2a.ts';
import { isJsonObject, type JsonObject } from '../../contract/json.ts';
import { compact, Fields } from '../fields.ts';
import { readPart } from '../a2a-1.0/message.ts';

/**
 * Parts of A2A 0.3 (specification 0.3.0 section 6.5): `kind`, or in older clients `type`, says what they are, and a
 * file lies in `file`. What 0.3 has no place for travels in the part's metadata, under these keys:
 */
/** The media type of a text or data part: it is what marks our typed artifacts. */
const MEDIA_TYPE_KEY = 'mediaType';
/** The name of a text or data part. */
const FILENAME_KEY = 'filename';
/** The data was not an object and lies in `value`. The name is that of the official SDKs' own translation. */
const WRAPPED_KEY = 'data_part_compat';

/** Reads a part in its 0.3 form, or in its 1.0 form where nothing marks it as older. */
export function readAnyPart(fields: Fields): Part {
  const { json } = fields;
  const isOld = json['kind'] !== undefined || json['type'] !== undefined || isJsonObject(json['file']);
  return readPart(isOld ? new Fields(fields.path, upgradePart(json), fields.violations) : fields);
}

/** The same part as 1.0 writes it. What is wrong with it stays wrong. */
function upgradePart(part: JsonObject): JsonObject {
  const { file, data } = part;
  const metadata = isJsonObject(part['metadata']) ? part['metadata'] : {};
  const { [MEDIA_TYPE_KEY]: mediaType, [FILENAME_KEY]: filename, [WRAPPED_KEY]: wrapped, ...others } = metadata;
  if (isJsonObject(file)) {
    // fileWithBytes and fileWithUri: the names of 0.3's proto, which some clients send
    return {
      raw: file['bytes'] ?? file['fileWithBytes'] ?? file['file_with_bytes'] ?? null,
      url: file['uri'] ?? file['fileWithUri'] ?? file['file_with_uri'] ?? null,
      filename: file['name'] ?? null,
      mediaType: file['mimeType'] ?? null,
      metadata: part['metadata'] ?? null,
    };
  }
  // what is not of the kind that we write is the client's own
  const rest = {
    ...others,
    ...(mediaType !== undefined && typeof mediaType !== 'string' && { [MEDIA_TYPE_KEY]: mediaType }),
    ...(filename !== undefined && typeof filename !== 'string' && { [FILENAME_KEY]: filename }),
    ...(wrapped !== undefined && wrapped !== true && { [WRAPPED_KEY]: wrapped }),
  };
  const wasOurs = Object.keys(rest).length < Object.keys(metadata).length;
  return {
    ...part,
    ...(wrapped === true && isJsonObject(data) && { data: data['value'] ?? null }),
    ...(typeof mediaType === 'string' && { mediaType }),
    ...(typeof filename === 'string' && { filename }),
    ...(wasOurs && { metadata: Object.keys(rest).length === 0 ? null : rest }),
  };
}

/** Writes a part as 0.3 does. */
export function downgradePart(part: Part): JsonObject {
  const { mediaType, filename, metadata } = part;
  if ('raw' in part || 'url' in part) {
    const content = 'raw' in part ? { bytes: part.raw } : { uri: part.url };
    const file = compact<JsonObject>({ ...content, name: filename, mimeType: mediaType });
    return compact<JsonObject>({ kind: 'file', file, metadata });
  }
  const marked =
    mediaType === undefined && filename === undefined
      ? metadata
      : compact<JsonObject>({ ...metadata, [MEDIA_TYPE_KEY]: mediaType, [FILENAME_KEY]: filename });
  if ('text' in part) return compact<JsonObject>({ kind: 'text', text: part.text, metadata: marked });
  return isJsonObject(part.data)
    ? compact<JsonObject>({ kind: 'data', data: part.data, metadata: marked })
    : { kind: 'data', data: { value: part.data }, metadata: { ...marked, [WRAPPED_KEY]: true } };
}
