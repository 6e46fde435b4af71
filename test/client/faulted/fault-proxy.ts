import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { bytesAt, type Fault, type FaultPlan } from './fault-plan.ts'

/** A proxy in front of the service that breaks the exchanges of its plan. */
export interface FaultProxy {
  url: string
  /** From now on nothing is broken. */
  mend(): void
  /** Resolves when everything that was held back or copied has reached the service and was answered. */
  settled(): Promise<void>
  stop(): Promise<void>
}

const HEAD_END = '\r\n\r\n'

export async function startFaultProxy(target: string, plan: FaultPlan): Promise<FaultProxy> {
  const { hostname: host, port } = new URL(target)
  const sockets = new Set<Socket>()
  const work = new Set<Promise<unknown>>()
  let exchanges = 0
  let isMended = false

  const track = (promise: Promise<unknown>) => {
    const tracked: Promise<unknown> = promise.catch(() => {}).finally(() => work.delete(tracked))
    work.add(tracked)
  }
  /** Sends bytes to the service; what it answers until it closes. */
  const ask = async (parts: { bytes: Buffer; delayMs: number }[], isEnded: boolean): Promise<Buffer> => {
    const upstream = connect({ host, port: Number(port) })
    const chunks: Buffer[] = []
    upstream.on('data', (chunk) => chunks.push(chunk)).on('error', () => {})
    const closed = once(upstream, 'close')
    for (const { bytes, delayMs } of parts) {
      if (delayMs > 0) await wait(delayMs)
      upstream.write(bytes)
    }
    if (isEnded) upstream.end()
    await closed
    return Buffer.concat(chunks)
  }
  const serve = async (client: Socket, request: Buffer) => {
    const fault = isMended ? undefined : plan.get(exchanges++)
    const asked = fault?.direction === 'request' ? breakRequest(client, request, fault) : ask(whole(request), false)
    const response = await asked
    if (response === null) return
    await answer(client, response, fault?.direction === 'response' ? fault : undefined)
  }
  const breakRequest = async (client: Socket, request: Buffer, fault: Fault): Promise<Buffer | null> => {
    const cut = bytesAt(fault.boundary, request, headLengthOf(request))
    const [first, rest] = [request.subarray(0, cut), request.subarray(cut)]
    switch (fault.action) {
      case 'drop':
        client.destroy()
        if (cut === request.length) track(ask(whole(request), false))
        else if (cut > 0) track(ask([{ bytes: first, delayMs: 0 }], true))
        return null
      case 'truncate':
        return cut === 0 ? Buffer.alloc(0) : await ask([{ bytes: first, delayMs: 0 }], cut < request.length)
      case 'delay': {
        const parts = [
          { bytes: first, delayMs: 0 },
          { bytes: rest, delayMs: fault.delayMs },
        ]
        const asked = ask(parts, false)
        track(asked)
        return await asked
      }
      case 'duplicate':
        track(wait(fault.delayMs).then(() => ask(whole(first), cut < request.length)))
        return await ask(whole(request), false)
    }
  }

  const server = createServer((client) => {
    sockets.add(client)
    client.on('close', () => sockets.delete(client)).on('error', () => {})
    const chunks: Buffer[] = []
    client.on('data', (chunk) => {
      chunks.push(chunk)
      const request = findRequest(Buffer.concat(chunks))
      if (request === null) return
      chunks.length = 0
      track(serve(client, request))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const settled = async () => {
    while (work.size > 0) await Promise.all(work)
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mend: () => {
      isMended = true
    },
    settled,
    stop: async () => {
      await settled()
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

async function answer(client: Socket, response: Buffer, fault: Fault | undefined): Promise<void> {
  if (fault === undefined || response.length === 0) {
    client.end(response)
    return
  }
  const cut = bytesAt(fault.boundary, response, headLengthOf(response))
  const [first, rest] = [response.subarray(0, cut), response.subarray(cut)]
  switch (fault.action) {
    case 'drop':
      client.write(first, () => client.destroy())
      return
    case 'truncate':
      client.end(first)
      return
    case 'delay':
      client.write(first)
      await wait(fault.delayMs)
      client.end(rest)
      return
    case 'duplicate':
      client.write(response)
      client.end(first)
  }
}

function whole(bytes: Buffer) {
  return [{ bytes, delayMs: 0 }]
}

function headLengthOf(message: Buffer): number {
  const end = message.indexOf(HEAD_END)
  return end === -1 ? message.length : end + HEAD_END.length
}

/** A request that has arrived whole, changed to end its connection; null while bytes are missing. */
function findRequest(bytes: Buffer): Buffer | null {
  const length = headLengthOf(bytes)
  const head = bytes.subarray(0, length).toString('latin1')
  if (!head.endsWith(HEAD_END)) return null
  const bodyLength = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
  if (bytes.length < length + bodyLength) return null
  const closing = head.replace(/^connection: .*$/im, 'Connection: close')
  return Buffer.concat([Buffer.from(closing, 'latin1'), bytes.subarray(length, length + bodyLength)])
}
