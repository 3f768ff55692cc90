import { expect, test } from 'vitest'
import { errorText } from './errorText.ts'

test.each<[string, unknown, string]>([
  ['a string', 'The wallet is locked.', 'The wallet is locked.'],
  ['an error', new Error('offline'), 'offline'],
  ['an object with issues', { issues: [{ message: 'Too short' }, { message: 'Too long' }] }, 'Too short'],
  ['an error with issues', Object.assign(new Error('invalid'), { issues: [{ message: 'Too short' }] }), 'Too short'],
  ['an error whose issue has no message', Object.assign(new Error('invalid'), { issues: [{}] }), 'invalid'],
  ['an error without issues', Object.assign(new Error('invalid'), { issues: [] }), 'invalid'],
  ['an object that only looks like an error', { message: 'invalid' }, 'Unknown error'],
  ['null', null, 'Unknown error'],
  ['undefined', undefined, 'Unknown error'],
  ['a number', 7, 'Unknown error'],
])('errorText() returns the text to show for %s', (_, error, text) => {
  expect(errorText(error)).toBe(text)
})
