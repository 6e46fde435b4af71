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
])('given a task described as %j, then its title is %j', (description, title) => {
  expect(taskTitleOf(description)).toBe(title)
})

test.each([
  [['source', 'final', 'final'], 1],
  [['preview', 'attachment'], 0],
  [['final'], 0],
])('given files with the roles %j, then the main one is number %i', (roles, index) => {
  const files = roles.map((role) => ({ role }))
  expect(mainFileOf(files)).toBe(files[index])
})

test('given no files, then there is no main one', () => {
  expect(mainFileOf([])).toBeNull()
})
