import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';

/**
 * A mutation that does not begin again while it is under way: the second click of a double click arrives before the page shows that
 * the first one has begun. The same mutation of another object may run beside it: `keyOf` tells them apart, by default by all variables.
 */
export function useAction<R, V = void>(
  options: UseMutationOptions<R, Error, V>,
  keyOf: (variables: V) => string = (variables) => JSON.stringify(variables) ?? '',
): UseMutationResult<R, Error, V> {
  const underWay = useRef(new Set<string>());
  const mutation = useMutation<R, Error, V>({
    ...options,
    onSettled: (...settled) => {
      underWay.current.delete(keyOf(settled[2]));
      return options.onSettled?.(...settled);
    },
  });
  const mutate: typeof mutation.mutate = (...given) => {
    // Only a mutation without variables may be given none.
    const key = keyOf(given[0] as V);
    if (underWay.current.has(key)) return;
    underWay.current.add(key);
    mutation.mutate(...given);
  };
  return { ...mutation, mutate };
}
