import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { parseAnswers, parseCalls, type RpcAnswer, type RpcCall, toAnswerBody, toBody } from './rpc-call.ts'
import { type AskNode, createRuleBook, type InjectedRule, type RpcFault, type RpcRule } from './rpc-faults.ts'

/** The record of one call. */
export interface Passage {
  method: string
  params: readonly unknown[]
}

/** A proxy before a JSON-RPC node, which injects faults. HTTP only, batches included. */
export interface RpcProxy {
  url: string
  inject(rule: RpcRule): InjectedRule
  /** Removes every rule; connections of hanging calls are reset. */
  clear(): void
  /** Every call so far, in the order of arrival. */
  passages(): readonly Passage[]
  /** Begins the record anew: a long run would fill the memory. */
  forget(): void
  /** Ends every connection, and refuses new ones. */
  refuse(): Promise<void>
  /** Accepts connections again, at the same URL. */
  accept(): Promise<void>
  close(): Promise<void>
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  isBatch: boolean
  calls: RpcCall[]
  /** One for each call. */
  faults: (RpcFault | null)[]
}

export async function startRpcProxy({ upstream }: { upstream: string }): Promise<RpcProxy> {
  const rules = createRuleBook()
  const passages: Passage[] = []
  let hanging = new AbortController()
  const askNode: AskNode = async (method, params = []) => {
    const [answer] = await forward(upstream, [{ id: 1, method, params }], false)
    if (answer === undefined || 'error' in answer) throw new Error(`${method}: ${JSON.stringify(answer)}`)
    return answer.result
  }
  const server = createServer((request, response) => {
    const connection = request.socket
    serveOne(request, response).catch(() => connection.destroy())
  })

  async function serveOne(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { calls, isBatch } = parseCalls(await text(request))
    const faults = calls.map(rules.take)
    passages.push(...calls)
    await play({ request, response, isBatch, calls, faults })
  }

  async function play(exchange: Exchange): Promise<void> {
    const { request, response, faults } = exchange
    const fault = faults.find((candidate) => candidate !== null && candidate.kind !== 'lie') ?? null
    switch (fault?.kind) {
      case 'drop-request':
        request.socket.resetAndDestroy()
        return
      case 'status': {
        const headers = fault.retryAfterSeconds === undefined ? {} : { 'retry-after': String(fault.retryAfterSeconds) }
        response.writeHead(fault.status, { 'content-type': 'text/plain', ...headers }).end('injected')
        return
      }
      case 'hang':
        if (fault.reachesNode) await ask(exchange)
        hanging.signal.addEventListener('abort', () => request.socket.resetAndDestroy(), { once: true })
        return
      case 'delay':
        await pause(fault.milliseconds, undefined, { signal: hanging.signal }).catch(() => {})
    }
    const answers =
      fault?.kind === 'reroute' ? await forward(fault.upstream, exchange.calls, exchange.isBatch) : await ask(exchange)
    const body = toAnswerBody(exchange.calls, answers, exchange.isBatch)
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  }

  /** Forwards an exchange's calls to the node, and applies the lies about them. */
  async function ask({ calls, faults, isBatch }: Exchange): Promise<RpcAnswer[]> {
    const asked = await Promise.all(calls.map((call, index) => change(call, faults[index])))
    const answers = await forward(upstream, asked, isBatch)
    return await Promise.all(
      answers.map((answer, index) => {
        const [call, fault] = [calls[index], faults[index]]
        if (call === undefined || fault?.kind !== 'lie' || fault.answer === undefined) return answer
        return fault.answer(answer, call, askNode)
      }),
    )
  }

  function change(call: RpcCall, fault: RpcFault | null | undefined): RpcCall | Promise<RpcCall> {
    return fault?.kind === 'lie' && fault.ask !== undefined ? fault.ask(call, askNode) : call
  }

  const listen = (port: number) => once(server.listen(port, '127.0.0.1'), 'listening')
  const refuse = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const clear = () => {
    rules.clear()
    hanging.abort()
    hanging = new AbortController()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    inject: rules.inject,
    clear,
    passages: () => passages,
    forget: () => {
      passages.length = 0
    },
    refuse,
    accept: async () => {
      if (!server.listening) await listen(port)
    },
    close: async () => {
      clear()
      await refuse()
    },
  }
}

async function forward(upstream: string, calls: readonly RpcCall[], isBatch: boolean): Promise<RpcAnswer[]> {
  const response = await fetch(upstream, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: toBody(calls, isBatch),
  })
  return parseAnswers(await response.text(), calls)
}
