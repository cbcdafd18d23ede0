"""Places against published structure: is a sentence cited by the number under which its publisher's markup has it?"""
