"""How does one text give a whole turn: orders, repeats and conditions, for mail, page, programs and previews?"""
