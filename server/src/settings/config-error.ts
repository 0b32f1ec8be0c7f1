/** An invalid setting. Startup ends with its message. */
export class ConfigError extends Error {}
