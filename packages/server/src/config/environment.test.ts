import * as v from 'valibot'
import { expect, test } from 'vitest'
import { documented, isSet, variableReader } from './environment.ts'
import { number, text } from './variableSchemas.ts'

const table = {
  PORT: { fallback: '4100', schema: number(0, 65_535), meaning: 'Port' },
  HOST: { fallback: '', schema: text, meaning: 'Address' },
  COLOR: { fallback: 'red', schema: v.picklist(['red', 'blue'], 'red or blue'), meaning: 'Color' },
} as const

function readerOf(values: Record<string, string>) {
  const rejected: string[] = []
  const env = { values, reject: (sentence: string) => void rejected.push(sentence) }
  return { ...variableReader(table, env), env, rejected }
}

test('read() returns the fallback for an unset or blank variable, and readIfSet() returns undefined', () => {
  const { read, readIfSet, env, rejected } = readerOf({ HOST: '  ', PORT: ' 80 ' })
  expect([read('PORT'), read('COLOR'), readIfSet('COLOR'), readIfSet('HOST')]).toEqual([
    80,
    'red',
    undefined,
    undefined,
  ])
  expect([isSet(env, 'PORT'), isSet(env, 'HOST'), isSet(env, 'COLOR')]).toEqual([true, false, false])
  expect(rejected).toEqual([])
})

test('an invalid value is reported, but not included in the message, and replaced with the fallback', () => {
  const { read, readIfSet, rejected } = readerOf({ PORT: '70000', COLOR: 'green' })
  expect([read('PORT'), readIfSet('COLOR')]).toEqual([4100, 'red'])
  expect(rejected).toEqual(['PORT must be a whole number from 0 to 65535.', 'COLOR must be red or blue.'])
})

test('readRequired() reports a variable that is not set, including the condition, and parses a variable that is set', () => {
  const missing = readerOf({})
  missing.readRequired('HOST', 'PORT is set')
  expect(missing.rejected).toEqual(['HOST must be set if PORT is set.'])
  const set = readerOf({ HOST: '::1', PORT: 'http' })
  expect(set.readRequired('HOST', 'PORT is set')).toBe('::1')
  set.readRequired('PORT', 'HOST is set')
  expect(set.rejected).toEqual(['PORT must be a whole number.'])
})

test('documented() lists a table’s variables in order', () => {
  expect(documented(table)).toEqual([
    { name: 'PORT', fallback: '4100', meaning: 'Port' },
    { name: 'HOST', fallback: '', meaning: 'Address' },
    { name: 'COLOR', fallback: 'red', meaning: 'Color' },
  ])
})
