import { requestLogQuery } from '@hengfu/contract/request-log';
import { consoleList } from '#domain/exportable.sql.ts';
import { requestSource } from './request-log.sql.ts';

/** Signed calls, filtered. */
export const requestList = consoleList(requestLogQuery, (tx, _home, query) => requestSource(tx, query));
