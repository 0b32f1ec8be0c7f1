import fc from 'fast-check';
import { expect, it } from 'vitest';
import { returnedFee } from './refunds.rules.ts';

const parts = fc.array(fc.bigInt({ min: 1n, max: 10_000n }), { minLength: 1, maxLength: 12 });

it('returns exactly the fee once all of a payment is given back, however it was divided', () => {
  fc.assert(
    fc.property(parts, fc.double({ min: 0, max: 1, noNaN: true }), (divided, share) => {
      const amountMinor = divided.reduce((sum, part) => sum + part, 0n);
      const feeMinor = BigInt(Math.floor(Number(amountMinor) * share));
      let givenBackMinor = 0n;
      let returnedFeeMinor = 0n;
      for (const part of divided) {
        const fee = returnedFee({ amountMinor, feeMinor, givenBackMinor, returnedFeeMinor }, part);
        expect(fee >= 0n && fee <= part).toBe(true);
        givenBackMinor += part;
        returnedFeeMinor += fee;
      }
      expect(returnedFeeMinor).toBe(feeMinor);
    }),
  );
});

it('returns the fee exactly after parts that failed in between, too', () => {
  const attempts = fc.array(fc.tuple(fc.bigInt({ min: 1n, max: 500n }), fc.boolean()), { maxLength: 30 });
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: 3000n }),
      fc.bigInt({ min: 0n, max: 3000n }),
      attempts,
      (amountMinor, cut, tried) => {
        const feeMinor = cut % (amountMinor + 1n);
        let live: { part: bigint; fee: bigint }[] = [];
        const sum = (key: 'part' | 'fee') => live.reduce((total, one) => total + one[key], 0n);
        const give = (part: bigint) => {
          const payment = {
            amountMinor,
            feeMinor,
            givenBackMinor: sum('part'),
            returnedFeeMinor: sum('fee'),
          };
          live.push({ part, fee: returnedFee(payment, part) });
        };
        for (const [part, fails] of tried) {
          if (sum('part') + part > amountMinor) continue;
          give(part);
          if (fails) live = live.toSpliced(Number(part) % live.length, 1);
          expect(sum('fee') <= feeMinor).toBe(true);
        }
        if (sum('part') < amountMinor) give(amountMinor - sum('part'));
        expect(sum('fee')).toBe(feeMinor);
      },
    ),
  );
});
