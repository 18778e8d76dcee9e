import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RelayError } from '../contract/reasons.ts';
import { ERROR_FORMS, httpErrorBody } from '../wire/errors.ts';
import type { Exchange } from './answers.ts';

/** Connections that carry no HTTP any more. Each further byte on them is the same fault again. */
const refused = new WeakSet<Socket>();

/**
 * Answers bytes that are no HTTP request, and so never reach a route: as every other error is answered, and then the
 * connection is closed, since nobody knows where the next request would begin. What was asked on it before is answered
 * first: what is written between the bytes of another answer would be read as its own.
 * @param underWay the requests on this connection that are not answered yet
 */
export function refuseBytes(fault: NodeJS.ErrnoException, socket: Socket, underWay: readonly Exchange[]): void {
  if (fault.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (refused.has(socket)) return;
  refused.add(socket);
  // one of which a part is missing is what cannot be read, and this its answer
  const before = underWay.findLast(({ request }) => request.complete);
  if (before === undefined) answer(fault.code, socket);
  else before.response.once('close', () => answer(fault.code, socket));
}

function answer(code: string | undefined, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const error = readFault(code);
  const { httpStatus } = ERROR_FORMS[error.reason];
  const body = httpErrorBody(error);
  socket.end(
    `HTTP/1.1 ${httpStatus} ${STATUS_CODES[httpStatus]}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function readFault(code: string | undefined): RelayError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new RelayError('HEADERS_TOO_LARGE', 'The headers are larger than 16 KiB. Send fewer or shorter ones.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new RelayError('REQUEST_TIMEOUT', 'The request did not arrive in time. Send it again.');
    default:
      return new RelayError('INVALID_REQUEST', 'This is not an HTTP request that can be read.');
  }
}
