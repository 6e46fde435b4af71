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
 * Wraps a transport so that an MCP host can subscribe to resources by the request `subscriptions/listen` (protocol
 * version 2026-07-28).
 *
 * The MCP library answers this request itself, and does not pass the requested URIs to the server. The wrapper
 * therefore receives the request first and subscribes to the URIs. Then it passes the request to the library, with only
 * the URIs of existing resources.
 */
export function readListenRequests(transport: Transport, subscriptions: Subscriptions): Transport {
  const waitingIds = new Set<RequestId>()
  const end = (id: RequestId) => {
    waitingIds.delete(id)
    subscriptions.remove(id)
  }
  const listeningTransport: Transport = {
    start: () => transport.start(),
    close: () => transport.close(),
    send: (message, options) => {
      // The answer of a listen request ends it.
      if (isJSONRPCResponse(message) && message.id !== undefined) end(message.id)
      return transport.send(message, options)
    },
  }
  const listen = async (request: JSONRPCRequest, uris: readonly string[]) => {
    waitingIds.add(request.id)
    try {
      const subscribedUris = await subscriptions.add(request.id, uris)
      if (waitingIds.delete(request.id)) listeningTransport.onmessage?.(withResources(request, subscribedUris))
    } catch (failure) {
      if (waitingIds.delete(request.id))
        await transport.send(toRefusal(request, failure)).catch((error) => listeningTransport.onerror?.(error))
    }
  }
  transport.onmessage = (message) => {
    const uris = findResources(message)
    if (uris !== null && isJSONRPCRequest(message)) return void listen(message, uris)
    const cancelledId = findCancelled(message)
    if (cancelledId !== null) end(cancelledId)
    listeningTransport.onmessage?.(message)
  }
  transport.onerror = (error) => listeningTransport.onerror?.(error)
  transport.onclose = () => {
    waitingIds.clear()
    subscriptions.close()
    listeningTransport.onclose?.()
  }
  return listeningTransport
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
  const notificationFields = isRecord(notifications) ? notifications : {}
  return { ...request, params: { ...request.params, notifications: { ...notificationFields, resourceSubscriptions } } }
}

function toRefusal({ id }: JSONRPCRequest, failure: unknown): JSONRPCMessage {
  const { code, message } =
    failure instanceof ProtocolError ? failure : { code: ProtocolErrorCode.InternalError, message: String(failure) }
  return { jsonrpc: '2.0', id, error: { code, message } }
}
