import { expect, test } from 'vitest'
import { admitToDrop } from '../../../../api/domain/creation/drop.ts'
import { alice, bob } from '../../../support/task-snapshots.ts'

const drop = { owner: alice }
const named = { taskDropId: 'a-drop' }

test('given no drop, then any account may create', () => {
  expect(admitToDrop({}, null, null)).toBeNull()
  expect(admitToDrop({}, null, bob)).toBeNull()
})

test('given an unknown drop, then it is refused before any payment', () => {
  const message = 'There is no task drop a-drop.'
  const refusal = { status: 404, failure: 'task_drop_not_found', field: 'taskDropId', message }
  expect(admitToDrop(named, null, null)).toMatchObject(refusal)
  expect(admitToDrop(named, null, alice)).toMatchObject(refusal)
})

test('given a drop, then its owner alone adds to it', () => {
  expect(admitToDrop(named, drop, null)).toBeNull()
  expect(admitToDrop(named, drop, alice)).toBeNull()
  const message = 'Only its owner adds tasks to a task drop; nothing was charged.'
  const refusal = { status: 403, failure: 'not_drop_owner', field: 'taskDropId', message }
  expect(admitToDrop(named, drop, bob)).toMatchObject(refusal)
})
