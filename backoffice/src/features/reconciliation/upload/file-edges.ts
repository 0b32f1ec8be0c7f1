/** Bytes of each end of a file that are read for previews. */
const edgeBytes = 64 * 1024;
const lineFeed = 10;

/** Both ends of a file. A short file has all of it in `start`. */
export interface Edges {
  start: Uint8Array<ArrayBuffer>;
  /** From the beginning of a line. */
  end: Uint8Array<ArrayBuffer>;
}

/** Reads both ends of a file, unpacked if it is packed with gzip. */
export async function edgesOf(file: File): Promise<Edges> {
  if (/\.gz$/i.test(file.name)) return unpackedEdges(file);
  const bytes = async (part: Blob) => new Uint8Array(await part.arrayBuffer());
  const start = await bytes(file.slice(0, edgeBytes));
  return { start, end: wholeLines(await bytes(file.slice(Math.max(edgeBytes, file.size - edgeBytes)))) };
}

async function unpackedEdges(file: File): Promise<Edges> {
  let start = new Uint8Array();
  let end = new Uint8Array();
  const reader = file.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const missing = edgeBytes - start.length;
    if (missing > 0) start = joined(start, part.value.subarray(0, missing));
    end = joined(end, part.value.subarray(Math.max(0, missing))).slice(-edgeBytes);
  }
  return { start, end: wholeLines(end) };
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Leaves out the line that is cut. */
function wholeLines(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return bytes.subarray(bytes.indexOf(lineFeed) + 1);
}
