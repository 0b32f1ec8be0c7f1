import pino, { type Logger } from 'pino';
import { visibleJson } from '#security/visible.ts';

const standardOutput = 1;

/**
 * Opens the log: JSON lines without secrets, and without characters that a terminal would interpret or hide.
 * Omits PostgreSQL's details of a rejected row, because they contain its values.
 */
export function openLog(level: string, descriptor = standardOutput): Logger {
  const stream = pino.destination(descriptor);
  return pino(
    {
      level,
      redact: {
        paths: ['*.password', '*.secret', 'req.headers', 'req.url', 'err.detail', 'err.where'],
        remove: true,
      },
    },
    { write: (line: string) => void stream.write(visibleJson(line)) },
  );
}
