import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  ProtocolError,
  ProtocolErrorCode,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server'
import { isRecord } from '../http/shape.ts'
import type { Subscriptions } from './subscriptions.ts'

/**
 * Adds subscriptions by URI to a transport, through the request `subscriptions/listen` of protocol version 2026-07-28.
 *
 * The MCP library answers this request itself, and does not pass the request's URIs to the server. Later, the library
 * forwards each notification of the server to the requests that named the notification's URI. Therefore this function
 * first subscribes to the URIs. As soon as no later change can be missed, this function passes the request to the
 * library, with only the URIs of existing resources.
 */
export function readListenRequests(transport: Transport, subscriptions: Subscriptions): Transport {
  const waiting = new Set<RequestId>()
  const end = (id: RequestId) => {
    waiting.delete(id)
    subscriptions.remove(id)
  }
  const listened: Transport = {
    start: () => transport.start(),
    close: () => transport.close(),
    send: (message, options) => {
      // The answer of a listen request ends it.
      if (isJSONRPCResponse(message) && message.id !== undefined) end(message.id)
      return transport.send(message, options)
    },
  }
  const listen = async (request: JSONRPCRequest, uris: readonly string[]) => {
    waiting.add(request.id)
    try {
      const subscribed = await subscriptions.add(request.id, uris)
      if (waiting.delete(request.id)) listened.onmessage?.(withResources(request, subscribed))
    } catch (thrown) {
      if (waiting.delete(request.id))
        await transport.send(toRefusal(request, thrown)).catch((error) => listened.onerror?.(error))
    }
  }
  transport.onmessage = (message) => {
    const uris = findResources(message)
    if (uris !== null && isJSONRPCRequest(message)) return void listen(message, uris)
    const cancelled = findCancelled(message)
    if (cancelled !== null) end(cancelled)
    listened.onmessage?.(message)
  }
  transport.onerror = (error) => listened.onerror?.(error)
  transport.onclose = () => {
    waiting.clear()
    subscriptions.close()
    listened.onclose?.()
  }
  return listened
}

/**
 * Returns the URIs to which a message subscribes. Returns null if the message is not a valid `subscriptions/listen`
 * request.
 */
function findResources(message: JSONRPCMessage): string[] | null {
  if (!isJSONRPCRequest(message) || message.method !== 'subscriptions/listen') return null
  const { notifications } = message.params ?? {}
  const uris = isRecord(notifications) ? notifications.resourceSubscriptions : null
  return Array.isArray(uris) && uris.every((uri) => typeof uri === 'string') ? uris : null
}

function findCancelled(message: JSONRPCMessage): RequestId | null {
  if (!isJSONRPCNotification(message) || message.method !== 'notifications/cancelled') return null
  const { requestId } = message.params ?? {}
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : null
}

function withResources(request: JSONRPCRequest, resourceSubscriptions: readonly string[]): JSONRPCRequest {
  const { notifications } = request.params ?? {}
  const asked = isRecord(notifications) ? notifications : {}
  return { ...request, params: { ...request.params, notifications: { ...asked, resourceSubscriptions } } }
}

function toRefusal({ id }: JSONRPCRequest, thrown: unknown): JSONRPCMessage {
  const { code, message } =
    thrown instanceof ProtocolError ? thrown : { code: ProtocolErrorCode.InternalError, message: String(thrown) }
  return { jsonrpc: '2.0', id, error: { code, message } }
}
