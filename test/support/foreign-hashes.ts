/**
 * Hashes of one password, made by the libraries that own each form: passlib 1.7.4, argon2-cffi, bcrypt 4.0.1, the hashers of
 * Django 5.2 (each with few rounds), and `hashlib`, as Keycloak and PHC strings have its values.
 */
export const hashedPassword = 'correct horse battery staple'

export const hashes: Record<string, string> = {
  'passlib pbkdf2_sha256':
    '$pbkdf2-sha256$1000$7f0/53wvxdibE2Ksde793w$qYhfsRdFmGbM.nbgXLpfmu979G05ur.lUwDRUCK8rbk',
  'passlib pbkdf2_sha512':
    '$pbkdf2-sha512$1000$c.59zzln7B1DKOXcew/B2A$BFoc3liTchtSr0Zw.UDuaNv/Lr29ndSpfNq3T.KyZF1udq9/k93oDyf9ytDac2YrfuHcfq3QaQa8l.9Nts/Bew',
  'passlib scrypt':
    '$scrypt$ln=10,r=8,p=1$OodwLgXgvHfOWeu91zoHAA$9/Qo7mk039PRWttKAq47Z40pHfy0lWG/sJ1H6+iDCi0',
  'passlib bcrypt 2b': '$2b$04$g31me7DvsQRjzTOiX/nCp.l46CZHV10R5Oc1hPlb216cR54FmoC7i',
  'passlib bcrypt 2y': '$2y$04$SqgO/ej3UcBDRnAZvOWrf.x3V6r0SwWtYfofGX4D8RHlDRcUDZ.oK',
  'py-bcrypt 2a': '$2a$04$OGqnfAjaB3IQ64fzUmR2p.bvtqQHOrY3kstaTBeQGl61UMxXVbiSi',
  'argon2-cffi I':
    '$argon2i$v=19$m=512,t=1,p=2$sjF/l2q4R4nU8XFbaJJMdQ$vP2Ao9eywbu/Bsh6oj37mQMHYtfthUvDYn0NG21Jz0o',
  'argon2-cffi D':
    '$argon2d$v=19$m=512,t=1,p=2$pFefhb0Su+WRi0qXKE1sRQ$rbV07rraHCxVMnZuYDa9uPIehoCwit2Y1sq57PuGeDk',
  'argon2-cffi ID':
    '$argon2id$v=19$m=512,t=1,p=2$6aJSaEHOr6eg/fflqm60dA$w63QGf92H/2Q1itlG5EOuLE32oe2er70YzRyJ649Nzk',
  'argon2-cffi v16':
    '$argon2i$v=16$m=512,t=1,p=1$c2FsdHNhbHRzYWx0$WZf7q8omYQmgBjLPbFKPUgJPfnkClhRvfIA/rh2mfhs',
  'django pbkdf2_sha256':
    'pbkdf2_sha256$1000$CVNutLvOkOk3B8kbuZtMcA$hJ/A6nEZPNG5E245VIJo5ttwYWM9iujhMFkJeesAAjo=',
  'django pbkdf2_sha1': 'pbkdf2_sha1$1000$EMg4Rmxu6kHR7TJsXSsQkq$5AJYlZJU/UsbMJk4vFuPP5j9atA=',
  'django argon2':
    'argon2$argon2id$v=19$m=512,t=1,p=1$cGlJY0RFcVhFcDBOQ3pwWkNsRXVYUw$QWUa22mzqbniXql5AARX2EKSjSVNu1f0lzMynADQODk',
  'django bcrypt': 'bcrypt$$2b$04$jLCDDHQIf98ve3ij7z3L6.wdIWkpjDAyDh8ISKACCL1VsObcdf20m',
  'django bcrypt_sha256':
    'bcrypt_sha256$$2b$04$FOLu.2A6s..YbSSAmHZOJO1BeKNfXaaYdxkCyamgg..Ym2KmjVa1W',
  'django scrypt':
    'scrypt$1024$OrzjwPhN0f7NWPMYX0XliU$8$5$WIg9oeNdz4u68hULuLx78u/c0ZrHOJQpjyqz6dRZ9k6hU1HXXKw7kyZMahsso3Es589cLWczUuyMjBR7NyAcuw==',
  'phc pbkdf2-sha1': '$pbkdf2-sha1$i=1000,l=20$MDEyMzQ1Njc4OWFiY2RlZg$wmIXv0mv7iouqkc9CKjRvCX21po',
  'phc pbkdf2-sha1 without l':
    '$pbkdf2-sha1$i=1000$MDEyMzQ1Njc4OWFiY2RlZg$wmIXv0mv7iouqkc9CKjRvCX21po',
  'phc pbkdf2-sha256':
    '$pbkdf2-sha256$i=1000,l=32$MDEyMzQ1Njc4OWFiY2RlZg$yqSq2SygY1sB4EcH9f2FG0JTMES+wqLsOT5YmiRBplI',
  'phc pbkdf2-sha256 without l':
    '$pbkdf2-sha256$i=1000$MDEyMzQ1Njc4OWFiY2RlZg$yqSq2SygY1sB4EcH9f2FG0JTMES+wqLsOT5YmiRBplI',
  'phc pbkdf2-sha512':
    '$pbkdf2-sha512$i=1000,l=64$MDEyMzQ1Njc4OWFiY2RlZg$5bTW2oeyDJyGJPcmEr+mRDE11ghpozWrDGnSNhRXo2ZCu0KHRDiUMAVEGzLJC+oDhRoeIja9J1iLIv9ptDJMfQ',
  'phc pbkdf2-sha512 without l':
    '$pbkdf2-sha512$i=1000$MDEyMzQ1Njc4OWFiY2RlZg$5bTW2oeyDJyGJPcmEr+mRDE11ghpozWrDGnSNhRXo2ZCu0KHRDiUMAVEGzLJC+oDhRoeIja9J1iLIv9ptDJMfQ',
  sha256: 'sha256:c4bbcb1fbec99d65bf59d85c8cb62ee2db963f0fe106f483d9afa73bd4e39a8a',
}

export const keycloakHashes = [
  {
    algorithm: 'pbkdf2',
    iterations: 1000,
    salt: 'MDEyMzQ1Njc4OWFiY2RlZg==',
    value:
      'wmIXv0mv7iouqkc9CKjRvCX21ppxie1kqc0WMgmDj0o+97VK8UW9s9Quxr8AjR3iqH5sGSrNnbDLUPu+/v6crg==',
  },
  {
    algorithm: 'pbkdf2-sha256',
    iterations: 1000,
    salt: 'MDEyMzQ1Njc4OWFiY2RlZg==',
    value:
      'yqSq2SygY1sB4EcH9f2FG0JTMES+wqLsOT5YmiRBplLYbawB4lwjdPCI3Ns1d3pRT9/+PGa1sFXN8qwjZx9S8g==',
  },
  {
    algorithm: 'pbkdf2-sha512',
    iterations: 1000,
    salt: 'MDEyMzQ1Njc4OWFiY2RlZg==',
    value:
      '5bTW2oeyDJyGJPcmEr+mRDE11ghpozWrDGnSNhRXo2ZCu0KHRDiUMAVEGzLJC+oDhRoeIja9J1iLIv9ptDJMfQ==',
  },
  {
    algorithm: 'argon2',
    iterations: 2,
    parameters: {
      hashLength: ['32'],
      memory: ['512'],
      type: ['id'],
      version: ['1.3'],
      parallelism: ['1'],
    },
    salt: 'MDEyMzQ1Njc4OWFiY2RlZg==',
    value: 'G+FCchV+K7s35S9I0F+YB499grZC2w4m2h/HjCjEE+8=',
  },
]
