import { Agent as HttpAgent, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { AwsV4Signer } from 'aws4fetch'
import { exchange, readBytes, readText, type StorageRequest } from './http-exchange.ts'

/** A bucket of an S3-compatible storage server, with the access key. */
export interface S3Bucket {
  /**
   * The URL of the storage server for this process and for clients, such as `https://s3.eu-central-1.amazonaws.com`.
   */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

/** The time limits of requests to the storage server. Tests shorten them. */
export interface S3Timeouts {
  /** The longest time in milliseconds that a request waits for the storage server. */
  silenceMs: number
  /** The timeout of a copy request, in milliseconds. The storage server sends nothing until the copy is complete. */
  copyMs: number
}

export interface S3Call {
  method: StorageRequest['method']
  /** The object's key in the bucket. It may only have characters that need no encoding in a URL. */
  key: string
  headers?: Record<string, string>
  body?: { bytes: AsyncIterable<Uint8Array>; sizeBytes: number }
  /** The longest time in milliseconds that the request waits for the answer. Default: the time limit of the client. */
  silenceMs?: number
}

/** An answer that was read completely. */
export interface S3Answer {
  status: number
  headers: IncomingHttpHeaders
  text: string
}

export interface S3Client {
  /**
   * Sends a request and reads the whole answer.
   * @throws StorageUnavailableError
   */
  call: (call: S3Call) => Promise<S3Answer>
  /**
   * Sends a request. If the answer has the status `status`, its bytes are streamed. Otherwise the answer is read as
   * text.
   */
  open: (call: S3Call, status: number) => Promise<S3Answer | ReadableStream<Uint8Array>>
  /** Returns a signed URL for a PUT of an object with exactly these headers. The URL expires after `seconds`. */
  presignPut: (key: string, headers: Record<string, string>, seconds: number) => Promise<string>
}

/** The longest text answer in bytes: an error, or the result of a copy. */
const LONGEST_TEXT_BYTES = 64 * 1024

/**
 * Creates an S3 client. It signs each request (Signature Version 4) and uses path-style URLs.
 * @param now returns the time for signatures in Unix milliseconds; storage servers refuse a deviation of 15 minutes
 */
export function createS3Client(bucket: S3Bucket, timeouts: S3Timeouts, now: () => number): S3Client {
  const base = `${bucket.endpoint.replace(/\/+$/, '')}/${bucket.bucket}/`
  const agent = base.startsWith('https:') ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const unsignedRequest = {
    service: 's3',
    region: bucket.region,
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: bucket.secretAccessKey,
    cache: new Map<string, ArrayBuffer>(),
  }
  const datetime = () => new Date(now()).toISOString().replace(/[:-]|\.\d{3}/g, '')

  const send = async ({ method, key, headers = {}, body, silenceMs }: S3Call): Promise<IncomingMessage> => {
    const signer = new AwsV4Signer({ ...unsignedRequest, method, url: base + key, headers, datetime: datetime() })
    const signedRequest = await signer.sign()
    return await exchange(
      {
        method,
        url: signedRequest.url,
        headers: {
          ...Object.fromEntries(signedRequest.headers),
          ...(method === 'PUT' && { 'Content-Length': String(body?.sizeBytes ?? 0) }),
        },
        ...(body !== undefined && { body: body.bytes }),
        silenceMs: silenceMs ?? timeouts.silenceMs,
      },
      agent,
    )
  }
  const read = async (answer: IncomingMessage, { silenceMs }: S3Call): Promise<S3Answer> => ({
    status: answer.statusCode ?? 0,
    headers: answer.headers,
    text: await readText(answer, { mostBytes: LONGEST_TEXT_BYTES, withinMs: silenceMs ?? timeouts.silenceMs }),
  })
  return {
    call: async (call) => read(await send(call), call),
    open: async (call, status) => {
      const answer = await send(call)
      return answer.statusCode === status ? readBytes(answer, timeouts.silenceMs) : await read(answer, call)
    },
    presignPut: async (key, headers, seconds) => {
      const url = `${base}${key}?X-Amz-Expires=${seconds}`
      const signer = new AwsV4Signer({
        ...unsignedRequest,
        method: 'PUT',
        url,
        headers,
        datetime: datetime(),
        signQuery: true,
        allHeaders: true,
      })
      return (await signer.sign()).url.href
    },
  }
}
