/** The parts of s3rver, a small S3 server, that tests use: the package has no types. */
declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net';

  // biome-ignore lint/style/noDefaultExport: as the library has it
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: { name: string }[];
      /** Needed for listing: it signs the bucket's own address without its trailing slash. */
      allowMismatchedSignatures?: boolean;
    });
    run(): Promise<AddressInfo>;
    close(): Promise<void>;
  }
}
