import { expect, test } from 'vitest'
import { openApiDocument } from '../../../../api/server/openapi/document.ts'
import { routes, writes } from '../../../../api/server/routes.ts'

const { paths = {}, components } = openApiDocument({
  routes,
  writes,
  serviceName: 'service',
  chainId: 8453,
  examples: {},
})
const operations = Object.values(paths).flatMap((item) => Object.values(item))
const securityOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.security

/** Spec, "Authentication" 1: every operation declares it, and none requires it. */
const optional = { Authorization: [] }

/** Every operation that needs a credential, except the writes that are always paid. */
const credentials: Record<string, string[]> = {
  addTaskViewer: ['ReadIdentity'],
  listTaskViewers: ['ReadIdentity'],
  removeTaskViewer: ['ReadIdentity'],
  listMyBids: ['ReadIdentity', 'DeviceToken'],
  previewSubmission: ['DeviceToken'],
  getDeviceKey: ['DeviceToken'],
  getDeviceStatus: ['DeviceToken'],
  endDevice: ['DeviceToken'],
  setPublicKey: ['DeviceToken'],
  listWithdrawalAddressHistory: ['ReadIdentity'],
  listWebhooks: ['ReadIdentity'],
  listWebhookDeliveries: ['ReadIdentity'],
}

test.each(routes.map(({ operationId }) => operationId))(
  'given the route %s, then it needs no credential unless it is in the list',
  (id) => {
    const needed = credentials[id]
    if (needed === undefined) expect(securityOf(id)).toEqual([{}, optional])
    else expect(securityOf(id)).toEqual(needed.flatMap((name) => [{ [name]: [] }, { [name]: [], ...optional }]))
  },
)

test.each(writes.map(({ operationId, modes }) => [operationId, modes] as const))(
  'given the write %s, then it needs a payment only where every request pays',
  (id, modes) => {
    const isAlwaysPaid = modes.length > 0 && modes.every((mode) => mode === 'paid')
    const expected = isAlwaysPaid ? [{ Payment: [] }, { Payment: [], ...optional }] : [{}, optional]
    expect(securityOf(id)).toEqual(expected)
  },
)

test('given every route that can answer 401, then it names its credential, except the one with a password in the body', () => {
  const refusing = routes.filter(({ responses }) => 401 in responses).map(({ operationId }) => operationId)
  expect(refusing.sort()).toEqual([...Object.keys(credentials), 'verifyAccessPassword'].sort())
})

test('given every required credential, then it is a scheme of the document', () => {
  const required = new Set(
    operations.flatMap(({ security = [] }) => security.flatMap((one: object) => Object.keys(one))),
  )
  expect([...required].sort()).toEqual(Object.keys(components?.securitySchemes ?? {}).sort())
})
