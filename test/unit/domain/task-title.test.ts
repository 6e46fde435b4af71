import { expect, test } from 'vitest'
import { mainFileOf } from '../../../api/domain/artifacts/main-file.ts'
import { taskTitleOf } from '../../../api/domain/task-title.ts'

test.each([
  ['Write a haiku', 'Write a haiku'],
  ['First\nSecond', 'First'],
  ['First\r\nSecond', 'First'],
  ['First\rSecond', 'First'],
  ['🦀'.repeat(81), '🦀'.repeat(80)],
  [`${'a'.repeat(80)}b\nc`, 'a'.repeat(80)],
  ['\nSecond', null],
  ['', null],
  [null, null],
])('the title of a task described as %j is %j', (description, title) => {
  expect(taskTitleOf(description)).toBe(title)
})

test.each([
  [['source', 'final', 'final'], 1],
  [['preview', 'attachment'], 0],
  [['final'], 0],
])('of files with the roles %j the main one is number %i', (roles, index) => {
  const files = roles.map((role) => ({ role }))
  expect(mainFileOf(files)).toBe(files[index])
})

test('of no files none is the main one', () => {
  expect(mainFileOf([])).toBeNull()
})
