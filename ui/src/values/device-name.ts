const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(?:e|A|iOS)?\/\d/, 'Edge'],
  [/OPR\/\d/, 'Opera'],
  [/MicroMessenger\//, 'WeChat'],
  [/Firefox\/\d|FxiOS\//, 'Firefox'],
  [/Chrome\/\d|CriOS\//, 'Chrome'],
  [/Safari\/\d/, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
];

/** Names browser and system from a user agent: "Chrome · Windows". Undefined if neither is known. */
export function deviceName(userAgent: string | null): string | undefined {
  const first = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1];
  const parts = [first(browsers), first(systems)].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(' · ') : undefined;
}
