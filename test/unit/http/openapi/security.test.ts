import { expect, test } from 'vitest'
import { openApiDocument } from '../../../../api/server/openapi/document.ts'
import { routes, writes } from '../../../../api/server/routes.ts'

const { paths = {}, components } = openApiDocument({ routes, writes, serviceName: 'service', examples: {} })
const operations = Object.values(paths).flatMap((item) => Object.values(item))
const securityOf = (id: string) => operations.find(({ operationId }) => operationId === id)?.security

/** Spec, "Authentication" 1: every operation declares it, and none needs it. */
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
}

test.each(routes.map(({ operationId }) => operationId))(
  'the route %s needs no credential unless it is in the list',
  (id) => {
    const needed = credentials[id]
    if (needed === undefined) expect(securityOf(id)).toEqual([{}, optional])
    else expect(securityOf(id)).toEqual(needed.flatMap((name) => [{ [name]: [] }, { [name]: [], ...optional }]))
  },
)

test.each(writes.map(({ operationId, legs }) => [operationId, legs] as const))(
  'the write %s needs a payment only where every request pays',
  (id, legs) => {
    const isAlwaysPaid = !legs.includes('signed') && !legs.includes('open')
    const expected = isAlwaysPaid ? [{ Payment: [] }, { Payment: [], ...optional }] : [{}, optional]
    expect(securityOf(id)).toEqual(expected)
  },
)

test('every route that can answer 401 names its credential, except the one that checks a password in the body', () => {
  const refusing = routes.filter(({ responses }) => 401 in responses).map(({ operationId }) => operationId)
  expect(refusing.sort()).toEqual([...Object.keys(credentials), 'verifyAccessPassword'].sort())
})

test('every required credential is a scheme of the document', () => {
  const required = new Set(
    operations.flatMap(({ security = [] }) => security.flatMap((one: object) => Object.keys(one))),
  )
  expect([...required].sort()).toEqual(Object.keys(components?.securitySchemes ?? {}).sort())
})
