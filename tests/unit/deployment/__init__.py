"""What is shipped to run the server agrees with the program."""
