import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { RelayError } from '../contract/reasons.ts';
import { ERROR_FORMS, httpErrorBody } from '../wire/errors.ts';

/**
 * Answers bytes that are no HTTP request, and so never reach a route: as every other error is answered, and then the
 * connection is closed, since nobody knows where the next request would begin.
 */
export function answerClientError(fault: NodeJS.ErrnoException, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = readFault(fault.code);
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
