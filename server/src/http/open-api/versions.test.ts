import { describe, expect, it } from 'vitest';
import { versionFields, versionOf } from './versions.ts';

const versions = [
  {
    name: '2026-11-25',
    deprecatedAt: new Date('2027-06-01T00:00:00Z'),
    endsAt: new Date('2029-06-01T00:00:00Z'),
  },
  { name: '2027-06-01' },
];
const before = new Date('2028-01-01T00:00:00Z');
const after = new Date('2029-06-01T00:00:00Z');

describe('the version of a call', () => {
  it('is the oldest one that has not ended, unless the call names another', () => {
    expect(versionOf(undefined, before, versions).name).toBe('2026-11-25');
    expect(versionOf('2027-06-01', before, versions).name).toBe('2027-06-01');
    expect(versionOf(undefined, after, versions).name).toBe('2027-06-01');
  });

  it('is refused once it has ended', () => {
    expect(() => versionOf('2026-11-25', after, versions)).toThrow('unknown_version');
    expect(() => versionOf(['2026-11-25', '2027-06-01'], before, versions)).toThrow('unknown_version');
  });

  it('is announced as deprecated, with its end and the policy', () => {
    const [old, current] = versions;
    expect(old && versionFields(old, 'https://pay.example')).toEqual({
      'hengfu-version': '2026-11-25',
      deprecation: '@1811808000',
      link: '<https://pay.example/docs/open-api-versions>; rel="deprecation"; type="text/html"',
      sunset: 'Fri, 01 Jun 2029 00:00:00 GMT',
    });
    expect(current && versionFields(current, 'https://pay.example')).toEqual({
      'hengfu-version': '2027-06-01',
    });
  });
});
