import { useQueryClient } from '@tanstack/react-query';

/** Returns a function that asks again for everything under some paths. */
export function useRefresh(...paths: readonly string[]): () => void {
  const client = useQueryClient();
  return () => {
    for (const path of paths) void client.invalidateQueries({ queryKey: [path] });
  };
}
