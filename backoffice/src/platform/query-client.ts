import { QueryClient } from '@tanstack/react-query';

/** Live events invalidate data; without one, data counts as fresh for this long. */
const staleTimeMs = 30_000;

/** Everything that the page has read. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // The browser's "offline" refers to the internet; the server may be on the local network.
    queries: { staleTime: staleTimeMs, retry: false, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always' },
  },
});
