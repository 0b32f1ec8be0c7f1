import type { OpenListQuery } from '@hengfu/contract/open-api';

/** Converts the Open API's range of creation times to the names that all lists share. */
export function createdRange({ created_from, created_to }: OpenListQuery) {
  return { createdFrom: created_from, createdTo: created_to };
}
