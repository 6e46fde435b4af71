import { request } from 'node:http'

/** An answer as it went over the wire. */
export interface EncodedAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}

const ofConnection = ['connection', 'keep-alive', 'transfer-encoding', 'date']

/** Fetches a URL as a browser does, without decoding the body. Example: the brotli of a page. */
export function fetchEncoded(url: string): Promise<EncodedAnswer> {
  const headers = { Accept: 'text/html,*/*;q=0.8', 'Accept-Encoding': 'gzip, deflate, br' }
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const body = Buffer.concat(chunks)
        const own = Object.entries(response.headers).filter(([name]) => !ofConnection.includes(name))
        const answered = { ...Object.fromEntries(own), 'content-length': String(body.length) }
        resolve({ status: response.statusCode ?? 0, headers: answered, body })
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
