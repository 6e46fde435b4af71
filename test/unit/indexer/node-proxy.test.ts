import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNodeSet, type NodeSet } from '../../../api/nodes/node-set.ts'
import { type NodeProxy, startNodeProxy } from '../../../ops/indexer/node-proxy.ts'
import { aFakeNode, type FakeNode } from '../nodes/fake-nodes.ts'

let nodes: FakeNode[]
let set: NodeSet
let proxy: NodeProxy
beforeEach(async () => {
  nodes = [await aFakeNode(), await aFakeNode()]
  const urls = nodes.map(({ url }) => `${url}/v2/a-secret-key`)
  set = createNodeSet({ urls, chainId: 8453, isLocal: true })
  proxy = await startNodeProxy(set)
})
afterEach(async () => {
  set.close()
  await proxy.stop()
  for (const node of nodes) node.close()
})

async function post(body: unknown): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(proxy.url, { method: 'POST', body: JSON.stringify(body) })
  return { status: response.status, answer: await response.json() }
}

test('given one request, or several in one, then each has its answer', async () => {
  const request = { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] }
  const answer = { jsonrpc: '2.0', id: 7, result: '0x2105' }
  expect(await post(request)).toEqual({ status: 200, answer })
  expect(await post([request, { ...request, id: 8 }])).toEqual({ status: 200, answer: [answer, { ...answer, id: 8 }] })
})

test('given no node answers, then 503 without the URL of one', async () => {
  for (const node of nodes) node.mood = 'refuses'
  const { status, answer } = await post({ id: 1, method: 'eth_call', params: [] })
  expect(status).toBe(503)
  expect(answer).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'no node answers' } })
})
