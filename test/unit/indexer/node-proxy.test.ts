import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNodeSet, type NodeSet } from '../../../api/nodes/node-set.ts'
import { type NodeProxy, startNodeProxy } from '../../../ops/indexer/node-proxy.ts'
import { aFakeNode, type FakeNode, hashOf } from '../nodes/fake-nodes.ts'

let nodes: FakeNode[]
let set: NodeSet
let proxy: NodeProxy
beforeEach(async () => {
  nodes = [await aFakeNode(), await aFakeNode(), await aFakeNode()]
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

test('given a block that only the first node has, then the newest that two nodes have is the head', async () => {
  const [first, second] = nodes as [FakeNode, FakeNode]
  const request = { jsonrpc: '2.0', id: 7, method: 'eth_getBlockByNumber', params: ['latest', false] }
  first.height = 101
  expect((await post(request)).answer).toMatchObject({ result: { hash: hashOf(second, 100) } })
  second.height = 101
  expect((await post(request)).answer).toMatchObject({ result: { hash: hashOf(second, 101) } })
})

test('given a first node that goes on with blocks of its own, then none of them is the head', async () => {
  const [first, second] = nodes as [FakeNode, FakeNode]
  const request = { jsonrpc: '2.0', id: 7, method: 'eth_getBlockByNumber', params: ['latest', false] }
  await post(request)
  first.forkedFrom = 101
  for (const node of nodes) node.height = 102
  const answers = [await post(request)]
  await expect.poll(async () => answers.push(await post(request)) && answers.at(-1)?.status).toBe(200)
  const heads = answers
    .filter(({ status }) => status === 200)
    .map(({ answer }) => (answer as { result: object }).result)
  expect(heads).toEqual(heads.map(() => expect.objectContaining({ hash: hashOf(second, 102) })))
})

test('given no node answers, then 503 without the URL of one', async () => {
  for (const node of nodes) node.mood = 'refuses'
  const { status, answer } = await post({ id: 1, method: 'eth_call', params: [] })
  expect(status).toBe(503)
  expect(answer).toEqual({ jsonrpc: '2.0', id: null, error: { code: -32603, message: 'no node answers' } })
})
