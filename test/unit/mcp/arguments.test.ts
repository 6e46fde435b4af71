import { describe, expect, test } from 'vitest'
import { catalogue } from '../../../client/src/mcp/catalogue.ts'
import { argumentRefusal, findArgumentProblem } from '../../../mcp/judge-arguments.ts'
import { keepPrototypeNames } from '../../../mcp/prototype-names.ts'
import { toReadRequest } from '../../../mcp/read-request.ts'

const listTasks = {
  path: '/api/tasks',
  pathArguments: [],
  inputSchema: {
    properties: {
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      tags: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      q: { type: 'string', maxLength: 200 },
      sort: { type: 'string', enum: ['newest', 'reward_desc'] },
    },
  },
}
const getTask = {
  path: '/api/tasks/{taskId}',
  pathArguments: ['taskId'],
  inputSchema: { properties: { taskId: { type: 'string' } }, required: ['taskId'] },
}

describe('The arguments of a read', () => {
  test.each([
    [{ limit: 5, tags: ['a', 'b'] }, '/api/tasks?limit=5&tags=a&tags=b'],
    [{ q: 'a&b=c d' }, '/api/tasks?q=a%26b%3Dc+d'],
    // Six characters, of which none is half of a pair.
    [{ q: '\\ud83d' }, '/api/tasks?q=%5Cud83d'],
    [{ tags: ['a,b'] }, '/api/tasks?tags=a%2Cb'],
    [{}, '/api/tasks'],
  ])('%j of listTasks become %s', (given, pathAndQuery) => {
    expect(toReadRequest(listTasks, given)).toMatchObject({ ok: true, pathAndQuery })
  })

  test.each([
    ['limit', { limit: '5' }, 'limit must be integer.'],
    ['limit', { limit: null }, 'limit is null; leave it out instead.'],
    ['limit', { limit: [1, 2] }, 'limit must be integer.'],
    ['limit', { limit: 1000 }, 'limit must be <= 100.'],
    ['limits', { limits: 5 }, 'There is no argument limits; did you mean limit?'],
    ['zzzzzzzz', { zzzzzzzz: 5 }, 'There is no argument zzzzzzzz; its arguments are: limit, tags, q, sort.'],
    ['sort', { sort: 'oldest' }, 'sort must be one of newest, reward_desc.'],
    ['constructor', { constructor: 1 }, 'There is no argument constructor; its arguments are: limit, tags, q, sort.'],
    ['q', { q: '\ud800' }, 'q has half of a surrogate pair.'],
    ['q', { q: { text: 'x' } }, 'q must be string.'],
  ])('a wrong %s is refused by its name: %j', (argument, given, message) => {
    expect(toReadRequest(listTasks, given)).toEqual({ ok: false, argument, message })
  })

  test.each([{}, { taskId: '' }, { taskId: '.' }, { taskId: '..' }])('%j names no task', (given) => {
    expect(toReadRequest(getTask, given)).toMatchObject({ ok: false, argument: 'taskId' })
  })

  test('a path argument stays in its place, whatever it holds', () => {
    const request = toReadRequest(getTask, { taskId: 'a/../b?c#d' })
    expect(request).toMatchObject({ ok: true, pathAndQuery: '/api/tasks/a%2F..%2Fb%3Fc%23d' })
  })

  test('given __proto__, as the library of the protocol would leave it out, then it is refused by its name', () => {
    const given = keepPrototypeNames(JSON.parse('{"limit": 5, "__proto__": {"q": 1}}')) as Record<string, unknown>
    expect(toReadRequest(listTasks, given)).toMatchObject({ ok: false, argument: '__proto__' })
  })

  test('given null for an argument that is needed, then the message does not say to leave it out', () => {
    const schema = { properties: { input: { type: 'object' } }, required: ['input'] }
    expect(findArgumentProblem(schema, { input: null })?.message).toBe('input must be object.')
  })

  test('the refusal is the body of an error of the service, with the argument in its issues', () => {
    const problem = { argument: 'limit', message: 'limit must be integer.' }
    expect(argumentRefusal(problem)).toEqual({
      error: 'limit must be integer.',
      code: 'BAD_REQUEST',
      service: { reason: 'unclassified' },
      issues: [{ path: 'limit', message: 'limit must be integer.' }],
    })
  })

  test('given no object, then the arguments are refused as a whole', () => {
    for (const given of [null, [], 'x', 5])
      expect(findArgumentProblem({}, given)).toMatchObject({ argument: 'arguments' })
  })
})

test('given any tool of the catalogue, then an unknown, a null and a wrongly typed argument are each refused by name', () => {
  for (const { inputSchema } of [...catalogue.reads, ...catalogue.writes]) {
    const properties = inputSchema.properties ?? {}
    expect(findArgumentProblem(inputSchema, { no_such_argument: 1 })).toMatchObject({ argument: 'no_such_argument' })
    for (const name of Object.keys(properties)) {
      const one = { properties: { [name]: properties[name] } }
      // A symbol of a class that no schema takes.
      expect([name, findArgumentProblem(one, { [name]: { '\ud800': [] } })?.argument]).toEqual([name, name])
    }
    const missing = inputSchema.required?.[0]
    if (missing !== undefined) expect(findArgumentProblem(inputSchema, {})).toMatchObject({ argument: missing })
  }
})
